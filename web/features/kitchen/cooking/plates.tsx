import type { KitchenTotal } from '#contracts/kitchen'
import { classes } from '../../../lib/classes'
import { plateInWords } from './kitchen-groups'

type PlatesProps = Pick<KitchenTotal, 'menuItem' | 'plates'>
type Plate = KitchenTotal['plates'][number]

/** What goes on a plate together and how often; what families asked for stands with the plate, and whose it is. */
export const Plates = ({ menuItem, plates }: PlatesProps) => (
  <>
    <p className="mb-1 text-xs font-semibold text-muted">Plates</p>
    <ul
      aria-label="Plates"
      className="grid grid-cols-[repeat(auto-fit,minmax(min(100%,15rem),1fr))] gap-x-4 gap-y-1.5 print:gap-y-1"
    >
      {plates.map((plate) => (
        <li
          key={JSON.stringify([plate.category, plate.sideDish])}
          className={classes('flex gap-2', plate.comments.length > 0 && 'col-span-full')}
        >
          <strong className="money min-w-7 text-right">{plate.count}</strong>
          <div className="min-w-0">
            <p className="break-after-avoid">{plateInWords(plate, menuItem)}</p>
            <Comments comments={plate.comments} />
          </div>
        </li>
      ))}
    </ul>
  </>
)

const Comments = ({ comments }: Pick<Plate, 'comments'>) =>
  comments.length === 0 ? null : (
    <ul aria-label="Comments" className="mt-1 flex flex-wrap gap-x-3 gap-y-1">
      {comments.map(({ text, count, students }) => (
        <li
          key={text}
          className="min-w-0 break-inside-avoid border-l-3 border-accent-300 bg-accent-50 px-2 py-1 text-sm break-words print:bg-transparent print:py-0"
        >
          {count > 1 ? <strong className="money">{`${count} × `}</strong> : null}
          <strong className="font-semibold">{text}</strong>
          <span className="text-muted">{` · ${students.join(', ')}`}</span>
        </li>
      ))}
    </ul>
  )
