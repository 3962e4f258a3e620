-- Events that show alike have most of their words in common: the list of one word can stand for the others. Such a list
-- holds nothing itself and names another of its hour and number.
alter table posting_list
  add column same_as bigint,
  alter as_of drop not null,
  alter id drop not null,
  add constraint posting_list_own check ((same_as is null) = (as_of is not null) and (same_as is null) = (id is not null)) not valid;
grant usage on sequence posting_list_seq_seq to sightline_app;
-- A list from which events are deleted goes on under its number.
grant update (as_of, id) on posting_list to sightline_app;
