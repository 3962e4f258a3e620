-- How often an import failed in a row; it ends as failed once that is too often.
alter table repository_import add column attempts int not null default 0;
