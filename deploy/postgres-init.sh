#!/bin/sh
# Run once, by the image of PostgreSQL on an empty volume: the login that owns Sightline's database, and is no superuser.
set -eu
psql --username postgres --set ON_ERROR_STOP=1 --set password="$DATABASE_PASSWORD" <<'SQL'
create role sightline login createrole password :'password';
create database sightline owner sightline;
SQL
