-- What processes of 1.0.0 ask for: a page of history_rows without confirmation.
create or replace function history_page(
  as_of timestamptz, after_hash text, page_size integer,
  providers text[], except_providers text[], member_providers text[], member_resources text[],
  resources text[], canonical_resources text[], dimensions text[], current_only boolean,
  out prices text, out rows_found integer
) language sql stable as $$
  select h.prices, h.rows_found
  from history_rows(as_of, after_hash, page_size, providers, except_providers, member_providers, member_resources,
    resources, canonical_resources, dimensions, current_only, false, null) h
$$;
