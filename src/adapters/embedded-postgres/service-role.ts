import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { failureReason, launch, watch } from './processes'
import type { Place } from './place'
import type { Log } from '#platform/log'
import { StartError } from '#platform/start-error'

/** The role that the service signs in with: it owns the school's database and is no superuser. */
export const serviceRole = 'tuckshop_service'

const whoComesIn = `# Written by Tuckshop: the service comes in with its password, and nobody else, the superuser neither.
host all ${serviceRole} 127.0.0.1/32 scram-sha-256
`

// Folders of earlier versions belong to the superuser, which the service was: every schema, table, sequence, view and
// function is handed over. `backup --check` may make a database, hence createdb.
const giveOver = `
do $$
declare
  handing_over text;
begin
  if not exists (select from pg_roles where rolname = '${serviceRole}') then
    create role ${serviceRole} login nosuperuser createdb;
  end if;
  alter database postgres owner to ${serviceRole};
  for handing_over in
    select format('alter schema %I owner to ${serviceRole}', nspname)
    from pg_namespace
    where nspname <> 'public' and nspname !~ '^(pg_|information_schema$)'
    union all
    select format(
      'alter %s %I.%I owner to ${serviceRole}',
      case relkind when 'S' then 'sequence' when 'v' then 'view' else 'table' end,
      nspname,
      relname
    )
    from pg_class join pg_namespace on pg_namespace.oid = relnamespace
    where relkind in ('r', 'p', 'v', 'S')
      and nspname !~ '^(pg_|information_schema$)'
      and not exists (
        select from pg_depend
        where classid = 'pg_class'::regclass and objid = pg_class.oid and relkind = 'S' and deptype in ('a', 'i')
      )
    union all
    select format('alter routine %s owner to ${serviceRole}', pg_proc.oid::regprocedure)
    from pg_proc join pg_namespace on pg_namespace.oid = pronamespace
    where nspname !~ '^(pg_|information_schema$)'
  loop
    execute handing_over;
  end loop;
end $$`

/**
 * Makes the service's role in a cluster that no server runs on, gives it the database `postgres` with everything in it,
 * and lets only that role come in. A cluster where that was done is left alone. Throws StartError.
 */
export const giveToService = async (
  place: Place,
  cluster: string,
  password: string,
  log: Log,
): Promise<void> => {
  const entrance = join(cluster, 'pg_hba.conf')
  if ((await readFile(entrance, 'utf8')) === whoComesIn) return
  // Without a server nobody can come in between; one command a line, and no failure repeats one with the password.
  const args = ['--single', '-D', cluster, '-c', 'exit_on_error=true', '-c', 'log_min_error_statement=panic']
  const commands = [giveOver, `alter role ${serviceRole} password '${password}'`]
  const input = commands.map((command) => `${command.replaceAll(/\s*\n\s*/g, ' ')}\n`).join('')
  const child = launch(place, 'postgres', [...args, 'postgres'], input)
  const watched = watch(child, (line) => log.debug({}, `postgres: ${line}`))
  await watched.exited
  if (child.exitCode !== 0)
    throw new StartError(
      `The embedded database in ${place.folder} cannot be given to the role of the service: ${failureReason(watched.stderr())}`,
    )
  await writeFile(entrance, whoComesIn)
}
