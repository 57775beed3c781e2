import { Description, Field, Label, Radio, RadioGroup } from '@headlessui/react'
import { classes } from '../lib/classes'
import { Icon, type IconName } from './icon'

type RadioCard<Value extends string | number> = {
  value: Value
  label: string
  hint?: string
  disabled?: boolean
}

type RadioCardsProps<Value extends string | number> = {
  label: string
  options: readonly RadioCard<Value>[]
  value: Value | null
  onChange: (value: Value) => void
  hideLabel?: boolean
  /** Short words, more of them in a row. */
  small?: boolean
}

export const RadioCards = <Value extends string | number>({
  label,
  options,
  value,
  onChange,
  hideLabel,
  small,
}: RadioCardsProps<Value>) => (
  <RadioGroup value={value} onChange={(next: Value | null) => next !== null && onChange(next)}>
    <Label className={hideLabel ? 'sr-only' : 'mb-1.5 block text-sm font-semibold text-sand-800'}>
      {label}
    </Label>
    <div
      className={
        small
          ? 'grid grid-cols-2 gap-2'
          : classes('grid grid-cols-1 gap-3 sm:grid-cols-2', options.length === 3 && 'lg:grid-cols-3')
      }
    >
      {options.map((option) => (
        // Field labels each radio; otherwise all take the group's label.
        <Field key={option.value} disabled={option.disabled}>
          <Radio
            value={option.value}
            className={classes(
              'block h-full cursor-pointer rounded-lg border border-sand-300 bg-surface transition-colors hover:bg-sand-50',
              small ? 'min-h-11 px-3 py-2 text-sm' : 'p-4',
              'data-checked:border-brand-700 data-checked:bg-brand-50 data-checked:ring-1 data-checked:ring-brand-700',
              'data-disabled:cursor-not-allowed data-disabled:opacity-50',
            )}
          >
            <Label className="block font-semibold">{option.label}</Label>
            {option.hint ? (
              <Description as="span" className="block text-sm text-muted">
                {option.hint}
              </Description>
            ) : null}
          </Radio>
        </Field>
      ))}
    </div>
  </RadioGroup>
)

type Segment<Value extends string> = { value: Value; label: string; icon?: IconName }

type SegmentedProps<Value extends string> = {
  label: string
  segments: readonly Segment<Value>[]
  value: Value
  onChange: (value: Value) => void
}

/** Two or three options; arrow keys move. */
export const Segmented = <Value extends string>({
  label,
  segments,
  value,
  onChange,
}: SegmentedProps<Value>) => (
  <RadioGroup
    aria-label={label}
    value={value}
    onChange={onChange}
    className="flex rounded-md border border-sand-300 bg-sand-100 p-0.5"
  >
    {segments.map((segment) => (
      <Radio
        key={segment.value}
        value={segment.value}
        className="inline-flex min-h-10 flex-1 cursor-pointer items-center justify-center gap-2 rounded-sm px-2 text-center text-xs font-semibold text-muted transition-colors hover:text-ink data-checked:bg-surface data-checked:text-brand-800 data-checked:shadow-card sm:px-3 sm:text-sm sm:whitespace-nowrap pointer-coarse:min-h-11"
      >
        {segment.icon ? <Icon name={segment.icon} size="sm" /> : null}
        {segment.label}
      </Radio>
    ))}
  </RadioGroup>
)
