-- How many items each parameter excluded from the population: [{parameter, setting, items, byDefault}].
alter table control_run add column exclusions jsonb not null default '[]';
alter table control_run alter column exclusions drop default;

-- Changes of policies in the period that made a parameter less strict, as in the entry of the run.
alter table control_run add column weakenings jsonb not null default '[]';
alter table control_run alter column weakenings drop default;
