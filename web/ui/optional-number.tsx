import { useFormContext } from 'react-hook-form'
import { TextField } from './text-field'

/** A number of the form around it that may be left empty. */
export const OptionalNumber = ({ name, label, hint }: { name: string; label: string; hint: string }) => {
  const { register, getFieldState, formState } = useFormContext()
  return (
    <TextField
      {...register(name, { setValueAs: (typed) => (typed === '' || typed === null ? null : Number(typed)) })}
      label={label}
      hint={hint}
      type="number"
      inputMode="decimal"
      min={0}
      step="any"
      error={getFieldState(name, formState).error?.message}
    />
  )
}
