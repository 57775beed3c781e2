import { useId } from 'react'
import { classes } from '../lib/classes'
import { Icon, type IconName } from './icon'

type Segment<Value extends string> = { value: Value; label: string; icon?: IconName }

type SegmentedProps<Value extends string> = {
  /** What is chosen, for screen readers. */
  label: string
  segments: readonly Segment<Value>[]
  value: Value
  onChange: (value: Value) => void
}

/** One of two or three, side by side; arrow keys move the choice. */
export const Segmented = <Value extends string>(props: SegmentedProps<Value>) => {
  const name = useId()
  return (
    <fieldset className="flex rounded-md border border-sand-300 bg-sand-100 p-0.5">
      <legend className="sr-only">{props.label}</legend>
      {props.segments.map((segment) => (
        <label
          key={segment.value}
          className={classes(
            'inline-flex min-h-10 flex-1 pointer-coarse:min-h-11 items-center justify-center gap-2 rounded-sm px-2 text-center text-xs font-semibold transition-colors sm:px-3 sm:text-sm sm:whitespace-nowrap',
            'has-focus-visible:outline-3 has-focus-visible:outline-accent-500',
            segment.value === props.value
              ? 'bg-surface text-brand-800 shadow-card'
              : 'text-muted hover:text-ink',
          )}
        >
          <input
            type="radio"
            name={name}
            value={segment.value}
            checked={segment.value === props.value}
            onChange={() => props.onChange(segment.value)}
            className="sr-only"
          />
          {segment.icon ? <Icon name={segment.icon} size="sm" /> : null}
          {segment.label}
        </label>
      ))}
    </fieldset>
  )
}
