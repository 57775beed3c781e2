import { rollColumns } from '#contracts/roll-import'
import { columnWords } from './list-words'

/** What the file has to look like. */
export const ListHelp = () => (
  <section aria-labelledby="list-help" className="rounded-md border border-line bg-sand-50 p-4">
    <h3 id="list-help" className="font-semibold">
      What the file holds
    </h3>
    <p className="mt-1 text-sm">
      One row for each child of the school, with these columns in any order. Their names stand in the first
      row. In Excel, save the list as “CSV UTF-8”.
    </p>
    <dl className="mt-3 grid gap-x-6 gap-y-2 text-sm sm:grid-cols-2">
      {rollColumns.map((column) => (
        <div key={column}>
          <dt className="font-semibold">
            {columnWords[column].label}
            {columnWords[column].needed ? (
              <span className="font-normal text-danger-700"> (needed)</span>
            ) : null}
          </dt>
          <dd className="text-muted">{columnWords[column].holds}</dd>
        </div>
      ))}
    </dl>
    <p className="mt-3 text-sm">
      A column that the file does not have stays as it is in the roll. A row with a mistake is left out and
      named; all others are read.
    </p>
  </section>
)
