package example

import (
	"context"
	"database/sql"
	"fmt"
	"time"

	_ "modernc.org/sqlite" // the driver "sqlite"

	"github.com/rpcbench/rpcbench/loadgen"
)

// How many rows a second do 8 connections insert? With another driver and
// address the same code asks another database.
func Example_database() {
	db, err := sql.Open("sqlite", "file:/example?vfs=memdb&_pragma=busy_timeout(10000)")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer db.Close()
	db.SetMaxOpenConns(8)
	db.SetMaxIdleConns(8)
	if _, err := db.Exec("create table orders (worker integer)"); err != nil {
		fmt.Println(err)
		return
	}
	res, err := loadgen.Run(context.Background(), loadgen.Config{
		Workers:  8,
		Schedule: loadgen.ClosedLoop,
		Calls:    1000,
		Timeout:  20 * time.Second,
	}, func(ctx context.Context, worker int) error {
		_, err := db.ExecContext(ctx, "insert into orders values (?)", worker)
		return err
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	var rows int64
	if err := db.QueryRow("select count(*) from orders").Scan(&rows); err != nil {
		fmt.Println(err)
		return
	}
	// fmt.Println(res) prints the rate and how long each insert took.
	fmt.Println(res.OK == rows, rows, "rows", res.Failures())
	// Output: true 1000 rows
}
