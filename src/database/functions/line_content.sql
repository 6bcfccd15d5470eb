-- What the published row of a line says, as one number. A check compares a number for each line of a list, instead of ten
-- columns of two tables. Equal numbers of different texts are as likely as a fault of the machine.
create or replace function line_content(
  provider text, resource text, dimension text, unit text, currency text, pricing_tier text, price numeric,
  effective_from text, canonical_resource text, category text, billing_condition text
) returns bigint language sql immutable parallel safe
return hash_record_extended(row(provider, resource, dimension, unit, currency, pricing_tier, price, effective_from,
                                canonical_resource, category, billing_condition), 0);

-- Whoever publishes another row for a line, also a process of an older version, has its content noted.
create or replace function note_content() returns trigger language plpgsql as $$
begin
  new.content := (select line_content(new.provider, new.resource, new.dimension, new.unit, new.currency, new.pricing_tier,
                                      r.price, r.effective_from, r.canonical_resource, r.category, r.billing_condition)
                  from price_row r where r.content_hash = new.current_hash);
  return new;
end $$;
