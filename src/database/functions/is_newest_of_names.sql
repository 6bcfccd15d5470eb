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
