-- Ids are random and cannot be packed, and trying costs more processor time than writing them.
alter table posting_list
  alter as_of set storage external,
  alter id set storage external;
