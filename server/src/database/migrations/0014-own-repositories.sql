-- Whether somebody opened or reviewed something in a repository decides what a role of reach `own` sees.
create index pull_request_person on pull_request (org_id, author_person, repository_id);
create index review_person on review (org_id, person_id, repository_id);
