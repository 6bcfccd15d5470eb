-- The names that are no longer in use at an instant, and the names listed for them: renamings followed to their end. All
-- are null when there are none. `listed_names` is by source, provider and old name; `old_names` is by source, provider
-- and listed name.
create or replace function renamed_at(
  as_of timestamptz, of_providers text[], out names text[], out listed_names jsonb, out old_names jsonb
)
language sql stable
as $$
  with recursive rename as (
    select distinct on (source, provider, old_resource) source, provider, old_resource, new_resource
    from resource_rename
    where at <= as_of and (ended_at is null or ended_at > as_of)
      and (of_providers is null or provider = any (of_providers))
    order by source, provider, old_resource, at desc
  ), chain as (
    select source, provider, old_resource as resource, new_resource as listed, 1 as length from rename
    union all
    select c.source, c.provider, c.resource, r.new_resource, c.length + 1
    from chain c join rename r on (r.source, r.provider, r.old_resource) = (c.source, c.provider, c.listed)
    where c.length < 100
  ), renamed as (
    select distinct on (source, provider, resource) source, provider, resource, listed
    from chain order by source, provider, resource, length desc
  ), in_use as (
    select source, provider, listed, jsonb_agg(resource) as resources
    from renamed where listed <> resource group by source, provider, listed
  )
  select
    (select array_agg(distinct resource) from renamed where listed <> resource),
    (select jsonb_object_agg(concat_ws(e'\x1f', source, provider, resource), listed) from renamed where listed <> resource),
    (select jsonb_object_agg(concat_ws(e'\x1f', source, provider, listed), resources) from in_use)
$$;
