-- Whether an item asks a person. What time ends waits without asking, and can be decided all the same.
alter table review add column asks boolean not null default true;
