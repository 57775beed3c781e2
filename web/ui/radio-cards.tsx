import { Description, Field, Label, Radio, RadioGroup } from '@headlessui/react'
import { classes } from '../lib/classes'

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
}

/** One choice among a few, each a card; arrow keys move the choice. */
export const RadioCards = <Value extends string | number>({
  label,
  options,
  value,
  onChange,
  hideLabel,
}: RadioCardsProps<Value>) => (
  <RadioGroup value={value} onChange={(next: Value | null) => next !== null && onChange(next)}>
    <Label className={hideLabel ? 'sr-only' : 'mb-1.5 block text-sm font-semibold text-sand-800'}>
      {label}
    </Label>
    <div className="grid grid-cols-1 gap-3 sm:grid-cols-2">
      {options.map((option) => (
        // The field gives each radio its own label; without it they would all name the group.
        <Field key={option.value} disabled={option.disabled}>
          <Radio
            value={option.value}
            className={classes(
              'block h-full cursor-pointer rounded-lg border border-sand-300 bg-surface p-4 transition-colors hover:bg-sand-50',
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
