-- Who invited is told once that nobody came.
alter table invitation add column expired_told_at timestamptz;
