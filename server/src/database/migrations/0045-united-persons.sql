-- What a person was known as before: events keep the person they were recorded under.
create index person_merged on person (org_id, merged_into) where merged_into is not null;
