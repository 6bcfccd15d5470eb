-- Whoever publishes another row for a line, also a process of an older version, has its content noted.
create or replace function note_content() returns trigger language plpgsql as $$
begin
  new.content := (select line_content(new.provider, new.resource, new.dimension, new.unit, new.currency, new.pricing_tier,
                                      r.price, r.effective_from, r.canonical_resource, r.category, r.billing_condition)
                  from price_row r where r.content_hash = new.current_hash);
  return new;
end $$;
