#!/bin/sh
# Run once, by the image of PostgreSQL on an empty volume: two logins that are no superusers. `sightline` owns the database and runs
# migrations and jobs; `sightline_app` answers requests and is bound by row-level security.
set -eu
psql --username postgres --set ON_ERROR_STOP=1 --set password="$DATABASE_PASSWORD" --set app_password="$DATABASE_APP_PASSWORD" <<'SQL'
create role sightline login createrole password :'password';
set role sightline;
-- Made by its owner, who may then grant it: migrations do.
create role sightline_app login password :'app_password';
reset role;
create database sightline owner sightline;
SQL
