import { counted, wholeNumber } from '../../../lib/format'
import type { Preview } from '../import-draft'

/** How many rows do what, and how many children are not in the list. */
export const ListCounts = ({ preview }: { preview: Preview }) => (
  <>
    <dl className="grid grid-cols-[repeat(auto-fit,minmax(min(7.5rem,100%),1fr))] gap-3">
      <Count of={preview.new} name="New" means="come onto the roll" />
      <Count of={preview.changed} name="Changed" means="get other values" />
      <Count of={preview.same} name="Same" means="stay as they are" />
      <Count of={preview.matched} name="To decide" means="may be here already" />
      <Count of={preview.leaving} name="Not in the list" means="leave, if you say so" />
      <Count of={preview.errors.length} name="Mistakes" means="their rows are left out" />
    </dl>
    <p className="mt-3 text-sm text-muted">
      {`The roll has ${counted(preview.roll, 'child', 'children')} now.`}
    </p>
  </>
)

const Count = ({ of, name, means }: { of: number; name: string; means: string }) => (
  <div className="rounded-md border border-line bg-sand-50 px-3 py-2">
    <dt className="text-sm font-semibold">{name}</dt>
    <dd>
      <span className="money text-xl font-semibold">{wholeNumber(of)}</span>
      <span className="block text-xs text-muted">{means}</span>
    </dd>
  </div>
)
