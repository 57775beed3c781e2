import { classes } from '../../../lib/classes'
import { Select } from '../../../ui/select'
import { TextField } from '../../../ui/text-field'

const hatchViews = ['toCome', 'all', 'notCollected'] as const
export type HatchView = (typeof hatchViews)[number]

const labels: Record<HatchView, string> = {
  toCome: 'Still to come',
  all: 'All',
  notCollected: 'Not collected today',
}

type HatchFiltersProps = {
  search: string
  onSearch: (search: string) => void
  classNames: readonly string[]
  /** Empty for all. */
  className: string
  onClass: (name: string) => void
  view: HatchView
  onView: (view: HatchView) => void
  /** How many lunches each view has; those that are not here are not offered. */
  counts: Partial<Record<HatchView, number>>
}

/** Whose lunches are shown. */
export const HatchFilters = (props: HatchFiltersProps) => (
  <>
    <div className="grid grid-cols-2 gap-2">
      <TextField
        label="Find a child"
        hideLabel
        type="search"
        placeholder="Find a child"
        autoComplete="off"
        className="[&_input]:min-h-12"
        value={props.search}
        onChange={(event) => props.onSearch(event.target.value)}
      />
      <Select
        label="Class"
        hideLabel
        className="[&_select]:min-h-12"
        options={[
          { value: '', label: 'All classes' },
          ...props.classNames.map((name) => ({ value: name, label: name })),
        ]}
        value={props.className}
        onChange={(event) => props.onClass(event.target.value)}
      />
    </div>
    <fieldset className="flex rounded-md border border-sand-300 bg-sand-100 p-0.5">
      <legend className="sr-only">Which lunches</legend>
      {hatchViews.map((view) =>
        props.counts[view] === undefined ? null : (
          <button
            key={view}
            type="button"
            aria-pressed={props.view === view}
            onClick={() => props.onView(view)}
            className={classes(
              'min-h-12 flex-1 rounded-sm px-2 text-sm font-semibold',
              props.view === view ? 'bg-surface text-brand-800 shadow-card' : 'text-muted',
            )}
          >
            {`${labels[view]} (${props.counts[view]})`}
          </button>
        ),
      )}
    </fieldset>
  </>
)
