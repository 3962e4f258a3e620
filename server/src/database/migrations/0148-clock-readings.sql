-- When the clock of the database was last read. A clock that is behind it was set back.
create table clock_reading (
  is_only boolean primary key default true check (is_only),
  read_at timestamptz not null
);
insert into clock_reading (read_at) values (clock_timestamp());
