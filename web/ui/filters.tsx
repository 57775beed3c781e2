import { type FormEvent, type ReactNode, useState } from 'react'
import { Button } from './button'
import { Icon } from './icon'
import { classes } from '../lib/classes'

type FiltersProps = {
  /** How many filters are at work. */
  active: number
  /** The columns of the grid from the middle sizes on, as classes. */
  columns?: string
  /** The form's submit, by 'Apply Filters' or Enter; without it each filter works as soon as it is chosen. */
  onSubmit?: (event: FormEvent) => void
  onClear: () => void
  /** The buttons take one field's place, not a row of their own. */
  compact?: boolean
  children: ReactNode
}

// Without a submit of its own a form would load the page again on Enter.
const keepPage = (event: FormEvent) => event.preventDefault()

/** The filters of a list. On a phone they open on request. */
export const Filters = ({
  active,
  columns = 'md:grid-cols-3',
  onSubmit = keepPage,
  children,
  ...acts
}: FiltersProps) => {
  const [open, setOpen] = useState(false)
  return (
    <div>
      <Button
        variant="secondary"
        icon="filter"
        aria-expanded={open}
        className="w-full md:hidden!"
        onClick={() => setOpen(!open)}
      >
        {active > 0 ? `Filters (${active})` : 'Filters'}
      </Button>
      <form
        aria-label="Filters"
        noValidate
        onSubmit={onSubmit}
        className={classes(
          'grid-cols-2 items-start gap-3 max-md:pt-3 md:grid',
          columns,
          open ? 'grid' : 'hidden',
        )}
      >
        {children}
        <FilterButtons active={active} applied={onSubmit !== keepPage} {...acts} />
      </form>
    </div>
  )
}

type FilterButtonsProps = Pick<FiltersProps, 'active' | 'onClear' | 'compact'> & { applied: boolean }

const FilterButtons = ({ active, applied, onClear, compact }: FilterButtonsProps) =>
  compact ? (
    <div className="flex gap-2 self-end max-md:col-span-2">
      <Button type="submit" className="flex-1 px-2! text-sm whitespace-nowrap">
        Apply Filters
      </Button>
      {active > 0 ? (
        <Button variant="ghost" aria-label="Clear Filters" className="px-2! text-sm" onClick={onClear}>
          <Icon name="close" size="sm" />
        </Button>
      ) : null}
    </div>
  ) : (
    <div className="col-span-full flex flex-wrap justify-end gap-2 empty:hidden">
      {active > 0 ? (
        <Button variant="ghost" icon="close" onClick={onClear}>
          Clear Filters
        </Button>
      ) : null}
      {applied ? <Button type="submit">Apply Filters</Button> : null}
    </div>
  )
