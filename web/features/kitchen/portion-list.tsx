import type { KitchenTotal } from '#contracts/ordering'
import { groupedComments } from './kitchen-groups'

type PortionListProps = { title: string; portions: KitchenTotal['proteins'] }

/** How many of each protein or side, with the comments that came with it. */
export const PortionList = ({ title, portions }: PortionListProps) => (
  <>
    <p className="mb-1 text-xs font-semibold text-muted @xl:hidden">{title}</p>
    {portions.length === 0 ? <p className="py-2 text-muted print:py-0">None</p> : null}
    <ul className="flex flex-col gap-1.5">
      {portions.map((portion) => (
        <li key={portion.name} className="@xl:pt-2 print:pt-0">
          <span className="flex break-after-avoid gap-2">
            <strong className="money min-w-7 text-right">{portion.count}</strong>
            <span className="first-letter:uppercase">{portion.name}</span>
          </span>
          <Comments texts={portion.comments} />
        </li>
      ))}
    </ul>
  </>
)

const Comments = ({ texts }: { texts: string[] }) =>
  texts.length === 0 ? null : (
    <ul aria-label="Comments" className="mt-1 flex flex-col gap-1">
      {groupedComments(texts).map(({ text, count }) => (
        <li
          key={text}
          className="break-inside-avoid border-l-3 border-accent-300 bg-accent-50 px-2 py-1 text-sm break-words print:py-0"
        >
          {count > 1 ? <strong className="money">{`${count} × `}</strong> : null}
          {text}
        </li>
      ))}
    </ul>
  )
