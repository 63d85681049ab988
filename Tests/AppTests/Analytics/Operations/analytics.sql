-- ForAdministrators, mod: 1

-- 1: slow
select kind, at, count
  from usage_figures($1, $2, $3);

-- Figures, mod: 1 1 1 1
