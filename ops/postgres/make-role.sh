#!/bin/sh
# Run by the postgres image when its volume is empty: a role that owns its database and is no superuser. It may
# make others: `backup --check` restores into one of its own.
set -eu
psql --username postgres --set ON_ERROR_STOP=1 --set password="$DATABASE_PASSWORD" <<'SQL'
create role tuckshop login nosuperuser createdb nocreaterole password :'password';
create database tuckshop owner tuckshop;
SQL
