import { Field as HeadlessField, Label, Switch as HeadlessSwitch } from '@headlessui/react'
import { classes } from '../lib/classes'

type SwitchProps = {
  label: string
  checked: boolean
  onChange: (checked: boolean) => void
  disabled?: boolean
  hideLabel?: boolean
}

/** On or off, at once. The words say what is on when it is on. */
export const Switch = ({ label, checked, onChange, disabled, hideLabel }: SwitchProps) => (
  <HeadlessField disabled={disabled} className="inline-flex min-h-9 items-center gap-2.5">
    <HeadlessSwitch
      checked={checked}
      onChange={onChange}
      className={classes(
        'relative inline-flex h-7 w-12 shrink-0 items-center rounded-xl p-0.5 transition-colors',
        // What is drawn is lower than a finger is wide.
        "before:absolute before:inset-x-0 before:-inset-y-2 before:content-['']",
        'bg-sand-400 data-checked:bg-brand-600 data-disabled:opacity-50',
      )}
    >
      <span
        className={classes(
          'size-6 rounded-xl bg-white shadow-card transition-transform',
          checked && 'translate-x-5',
        )}
      />
    </HeadlessSwitch>
    <Label className={hideLabel ? 'sr-only' : 'text-sm'}>{label}</Label>
  </HeadlessField>
)
