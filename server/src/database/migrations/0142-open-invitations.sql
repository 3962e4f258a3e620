-- Whether any organization invited an address: with SIGN_UP=invited only such an address may open an account.
create function has_open_invitation(address text) returns boolean language sql stable security definer set search_path = public
  as $$ select exists (select from invitation where email = address and accepted_at is null and declined_at is null
    and revoked_at is null and expires_at > now()) $$;
alter function has_open_invitation(text) owner to sightline_lookup;
revoke all on function has_open_invitation(text) from public;
grant execute on function has_open_invitation(text) to sightline_app;
grant select (email, accepted_at, declined_at, revoked_at, expires_at) on invitation to sightline_lookup;
