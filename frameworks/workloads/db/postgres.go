package db

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"
)

// connectTimeout applies to URLs without connect_timeout. It also bounds the time to
// make the table.
const connectTimeout = 5 * time.Second

// openPostgres connects to the PostgreSQL at address and makes the table, if it does
// not exist. The table is never dropped: other server processes may use it, and a
// process that is killed could not drop a table of its own.
func openPostgres(address string) (database, error) {
	config, err := pgx.ParseConfig(address)
	if err != nil {
		return database{}, unparsed(address, err)
	}
	if config.ConnectTimeout == 0 {
		config.ConnectTimeout = connectTimeout
	}
	ctx, cancel := context.WithTimeout(context.Background(), config.ConnectTimeout)
	defer cancel()
	db := stdlib.OpenDB(*config)
	version, err := fillPostgres(ctx, db)
	if err != nil {
		db.Close()
		return database{}, fmt.Errorf("postgres: %s", oneLine(err))
	}
	return database{
		DB: db, name: "postgres " + version,
		selectByID: "select id, from_uid, to_uid, content from rpcbench.message where id = $1",
	}, nil
}

// unparsed says what is wrong with an address, and leaves out every part that may be
// a password. If the address cannot be parsed, that is the whole address.
func unparsed(address string, err error) error {
	reason := errors.Unwrap(err)
	if _, malformed := url.Parse(address); malformed != nil || reason == nil {
		return errors.New("the postgres URL cannot be parsed; it is postgres://user:password@host:port/database, special characters of the password as in %40")
	}
	return fmt.Errorf("the postgres URL cannot be used: %s", oneLine(reason))
}

// oneLine joins the different lines of an error into one. The error has a line for
// each address and each encryption that was tried, and these are often the same.
func oneLine(err error) string {
	var lines []string
	for line := range strings.Lines(err.Error()) {
		lines = append(lines, strings.TrimSpace(line))
	}
	return strings.Join(slices.Compact(lines), " ")
}

// fillPostgres makes the table in one transaction. It holds a lock, because "create
// table if not exists" fails when two processes execute it at once.
func fillPostgres(ctx context.Context, db *sql.DB) (version string, err error) {
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return "", err
	}
	defer tx.Rollback() // does nothing after Commit
	if _, err := tx.ExecContext(ctx, "select pg_advisory_xact_lock(hashtext('rpcbench'))"); err != nil {
		return "", err
	}
	var there bool
	if err := tx.QueryRowContext(ctx, "select to_regclass('rpcbench.message') is not null").Scan(&there); err != nil {
		return "", err
	}
	if !there {
		if err := createPostgres(ctx, tx); err != nil {
			return "", err
		}
	}
	if err := tx.QueryRowContext(ctx, "show server_version").Scan(&version); err != nil {
		return "", err
	}
	return version, tx.Commit()
}

func createPostgres(ctx context.Context, tx *sql.Tx) error {
	const (
		schema = "create schema if not exists rpcbench"
		table  = "create table rpcbench.message (id bigint primary key, from_uid bigint not null, to_uid bigint not null, content varchar(50) not null)"
	)
	for _, statement := range []string{schema, table} {
		if _, err := tx.ExecContext(ctx, statement); err != nil {
			return err
		}
	}
	return insert(ctx, tx, "insert into rpcbench.message values ($1, $2, $3, $4)")
}
