import { Link } from 'react-router-dom'
import type { RollEntry } from '#contracts/roll'
import { paths } from '../../lib/paths'
import { schoolDay } from '../../lib/school-moment'
import { Badge } from '../../ui/badge'
import { Breakable } from '../../ui/breakable'
import { Button } from '../../ui/button'
import { IconButton } from '../../ui/icon-button'
import { StackedCell, StackedRow } from '../../ui/stacked-table'
import { gradeAndClass } from './child-words'
import type { RollAct } from './roll-act'

/** A child, with what the office can do about its entry. */
export const RollRow = ({ child, onAct }: { child: RollEntry; onAct: (act: RollAct) => void }) => (
  <StackedRow className="[&>td]:align-middle">
    <StackedCell width="full">
      <span className="font-semibold break-words">{child.name}</span>
      <States child={child} />
    </StackedCell>
    <StackedCell label="Grade and class" className="break-words">
      {gradeAndClass(child)}
    </StackedCell>
    <StackedCell label="Number" className="break-words">
      {child.admissionNumber ?? <span className="text-muted">None</span>}
    </StackedCell>
    <StackedCell label="Family" width="full" className="break-words">
      <Family child={child} />
    </StackedCell>
    <StackedCell width="full" className="@max-4xl:p-0! @4xl:w-px @4xl:py-1!">
      <div className="flex items-center justify-end">
        <IconButton icon="edit" label={`Edit ${child.name}`} onClick={() => onAct('edit')} />
        <Button
          variant="ghost"
          size="sm"
          className="px-2!"
          aria-label={`More for ${child.name}`}
          onClick={() => onAct('more')}
        >
          More
        </Button>
      </div>
    </StackedCell>
  </StackedRow>
)

const States = ({ child: { leftAt, onRoll } }: { child: RollEntry }) => (
  <span className="mt-0.5 flex flex-wrap items-center gap-1 text-xs text-muted empty:hidden">
    {leftAt ? <Badge tone="warning">{`Left ${schoolDay(leftAt)}`}</Badge> : null}
    {onRoll ? null : 'Entered by the family'}
  </span>
)

/** The account that has the child, or what the school's list says of its guardian. */
const Family = ({ child: { parent, guardian } }: { child: RollEntry }) => {
  if (parent)
    return (
      <>
        <Link to={paths.family(parent.id)} className="font-semibold text-brand-700 underline">
          {parent.name}
        </Link>{' '}
        <span className="text-muted">
          <Breakable text={parent.username} />
        </span>
      </>
    )
  const contact = [guardian?.phone, guardian?.email].filter(Boolean).join(' · ')
  return (
    <>
      <Badge tone="info">No account</Badge> {guardian?.name}
      {contact ? <span className="block text-muted">{contact}</span> : null}
    </>
  )
}
