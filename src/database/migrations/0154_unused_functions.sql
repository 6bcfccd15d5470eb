-- contract: unused since 1.0.0
-- draw_tokens took its place.
drop function if exists take_tokens(text[], double precision[], integer[]);
