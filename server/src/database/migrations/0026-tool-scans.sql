-- What a scan for tools has read already: the content of each file by its id, under which rules, and when it last moved.
alter table tool_scan add column files jsonb not null default '{}';
alter table tool_scan add column rules int not null default 0;
alter table tool_scan add column updated_at timestamptz not null default now();
