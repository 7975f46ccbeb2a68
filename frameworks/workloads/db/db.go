// Package db has the workload db, which asks a database. It is not one of package
// workloads, since its drivers add a twelfth to what each collection of a small
// server's heap marks, and take longer to compile than most frameworks.
package db

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework/workload"
	"github.com/rpcbench/rpcbench/frameworks/workloads/internal/message"
)

const (
	dbRows  = 10
	dbConns = 10 // the most connections of a server process to its database
)

// Workload selects a message by its primary key, one of ten in turn, with a prepared
// statement over database/sql and at most 10 connections. The default is SQLite in
// the server's process. PostgreSQL is a process of its own, whose CPU time is not in
// the results.
func Workload() workload.Workload {
	return workload.Workload{
		Name: "db", About: "selects one of ten messages by its primary key",
		Flag: "db", Default: "sqlite",
		Usage: "the database of workload=db: sqlite, or a URL as in postgres://user@host:5432/database, where a table rpcbench.message is made and stays; PGPASSWORD and its like are read",
		Start: startDB,
	}
}

// database is an open database of either kind.
type database struct {
	*sql.DB
	name       string
	selectByID string
}

func startDB(option string) (workload.Work, error) {
	opened, err := openDB(option)
	if err != nil {
		return workload.Work{}, fmt.Errorf("-db: %w", err)
	}
	s, err := opened.prepare()
	if err != nil {
		return workload.Work{}, errors.Join(fmt.Errorf("-db: %s: %w", opened.name, err), opened.Close())
	}
	return workload.Work{Do: s.do, Close: opened.Close, Setup: fmt.Sprintf("%s, %d connections", opened.name, dbConns)}, nil
}

func openDB(option string) (database, error) {
	switch {
	case option == "sqlite":
		return openSQLite()
	case strings.HasPrefix(option, "postgres://"), strings.HasPrefix(option, "postgresql://"):
		return openPostgres(option)
	}
	return database{}, errors.New("must be sqlite, or a URL that begins with postgres://")
}

// prepare prepares the statement and selects each message once.
func (d database) prepare() (*selects, error) {
	d.SetMaxOpenConns(dbConns)
	d.SetMaxIdleConns(dbConns)
	stmt, err := d.Prepare(d.selectByID)
	if err != nil {
		return nil, err
	}
	s := &selects{stmt: stmt}
	for range dbRows {
		if err := s.do(); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// selects is the statement with a counter of its calls.
type selects struct {
	stmt  *sql.Stmt
	calls atomic.Uint64
}

func (s *selects) do() error {
	want := &dbMessages[s.calls.Add(1)%dbRows]
	var got message.Message
	err := s.stmt.QueryRow(want.ID).Scan(&got.ID, &got.FromUID, &got.ToUID, &got.Content)
	if err == nil && got != *want {
		err = message.ErrWrong
	}
	return err
}

// dbMessages are the rows.
var dbMessages = func() (list [dbRows]message.Message) {
	for i := range list {
		list[i] = message.Of(int64(i + 1))
	}
	return list
}()

// insert fills the existing table.
func insert(ctx context.Context, tx interface {
	ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error)
}, query string,
) error {
	for _, m := range dbMessages {
		if _, err := tx.ExecContext(ctx, query, m.ID, m.FromUID, m.ToUID, m.Content); err != nil {
			return err
		}
	}
	return nil
}
