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

-- Whether a row that is recorded under an old name, the newest of its line, is current at `as_of`. A line under an old name
-- continues under the name listed for it: it is current while that one has no row, and the newest of those that continue
-- there. `old_names` is that of renamed_at. A function of its own, because its plan is kept: written into a page's statement,
-- it took most of a small page's time.
create or replace function is_newest_of_names(
  line bigint, recorded timestamptz, hash text, listed_name text, old_names jsonb, as_of timestamptz
)
returns boolean language plpgsql stable as $$
begin
  return listed_name is null or not exists (
    select from price_line me
    join price_line o on (o.source, o.provider, o.dimension, o.unit, o.currency, o.pricing_tier)
                       = (me.source, me.provider, me.dimension, me.unit, me.currency, me.pricing_tier)
      and o.line_id <> me.line_id
      and o.resource in (select listed_name union all select jsonb_array_elements_text(
            old_names -> concat_ws(e'\x1f', me.source, me.provider, listed_name)))
    join publication n on n.line_id = o.line_id
      and n.published_at <= as_of and (n.unpublished_at is null or n.unpublished_at > as_of)
      and (o.resource = listed_name or (n.recorded_at, n.content_hash) > (recorded, hash))
    where me.line_id = line);
end $$;
