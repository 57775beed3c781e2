import { Radio, RadioGroup } from '@headlessui/react'
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
