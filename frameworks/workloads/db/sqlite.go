package db

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"sync/atomic"

	_ "modernc.org/sqlite" // the driver "sqlite"
)

// sqliteNames tells the databases of this process apart.
var sqliteNames atomic.Int64

// openSQLite makes a database in memory, so that nothing is left behind when the
// process is killed. The memdb file system shares the database among connections,
// each of which has a page cache. The database ends with its last connection.
func openSQLite() (database, error) {
	db, err := sql.Open("sqlite", fmt.Sprintf("file:/rpcbench-%d?vfs=memdb", sqliteNames.Add(1)))
	if err != nil {
		return database{}, err
	}
	version, err := fillSQLite(context.Background(), db)
	if err != nil {
		return database{}, errors.Join(err, db.Close())
	}
	return database{
		DB: db, name: "sqlite " + version + " in memory",
		selectByID: "select id, from_uid, to_uid, content from message where id = ?",
	}, nil
}

func fillSQLite(ctx context.Context, db *sql.DB) (version string, err error) {
	const table = "create table message (id integer primary key, from_uid integer, to_uid integer, content varchar(50))"
	if _, err := db.ExecContext(ctx, table); err != nil {
		return "", err
	}
	if err := insert(ctx, db, "insert into message values (?, ?, ?, ?)"); err != nil {
		return "", err
	}
	err = db.QueryRowContext(ctx, "select sqlite_version()").Scan(&version)
	return version, err
}
