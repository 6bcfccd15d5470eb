-- What differs at every fetch of a document is no longer learned. Processes of 1.0.0 still read and write both places;
-- the release after the next may drop them.
delete from document_volatility;
comment on table document_volatility is 'Unused since 1.1.0.';
comment on column document_version.left_out is 'Unused since 1.1.0.';
