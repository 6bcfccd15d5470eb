-- The SQL condition that rows of a scope meet. A filter that is null narrows nothing.
create or replace function rows_condition(
  providers text[], except_providers text[], member_providers text[], member_resources text[],
  resources text[], canonical_resources text[], dimensions text[]
) returns text language sql stable as $$
  select concat_ws(' and ', 'true',
    case when providers is not null then format('provider = any (%L)', providers) end,
    case when cardinality(except_providers) > 0 then format('provider <> all (%L)', except_providers) end,
    case when member_resources is not null then
      format('(provider, resource) in (select * from unnest(%L::text[], %L::text[]))', member_providers, member_resources)
    end,
    case when resources is not null then format('resource = any (%L)', resources) end,
    case when canonical_resources is not null then format('canonical_resource = any (%L)', canonical_resources) end,
    case when dimensions is not null then format('dimension = any (%L)', dimensions) end)
$$;
