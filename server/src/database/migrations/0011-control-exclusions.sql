-- How many items each parameter excluded from the population: [{parameter, setting, items, byDefault}].
alter table control_run add column exclusions jsonb not null default '[]';
alter table control_run alter column exclusions drop default;
