-- Of the lines that a commit added, the part that agents are said to have written, by the event that tells of the commit. Kept where both are known:
-- lines by notes and traces, and how many the commit added.
create table ai_share (
  org_id uuid not null,
  event_id uuid not null,
  share double precision not null check (share between 0 and 1),
  primary key (org_id, event_id)
);
alter table ai_share enable row level security;
alter table ai_share force row level security;
create policy tenant on ai_share using (org_id = app_org()) with check (org_id = app_org());
revoke delete on ai_share from sightline_app;

insert into ai_share (org_id, event_id, share)
select c.org_id, fact_id(format('["commit","%s","%s"]', c.repository_id, c.sha)), least(1, said.lines::double precision / c.additions)
from (
  select org_id, repository_id, commit_sha, sum(upper(stretch) - lower(stretch)) as lines
  from (
    select org_id, repository_id, commit_sha, unnest(range_agg(lines)) as stretch
    from ai_attribution where lines is not null group by org_id, repository_id, commit_sha, path
  ) each group by org_id, repository_id, commit_sha
) said
join commit c on c.org_id = said.org_id and c.repository_id = said.repository_id and c.sha = said.commit_sha
where c.additions > 0;
