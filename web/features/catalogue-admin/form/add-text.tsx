import { type KeyboardEvent, useState } from 'react'
import { Button } from '../../../ui/button'
import { TextField } from '../../../ui/text-field'

type AddTextProps = {
  label: string
  button: string
  placeholder?: string
  /** Why this text cannot be added, if it cannot. */
  problem?: (text: string) => string | undefined
  onAdd: (text: string) => void
}

/** A line to type a text into a list, by the button or Enter. */
export const AddText = ({ label, button, placeholder, problem, onAdd }: AddTextProps) => {
  const [typed, setTyped] = useState('')
  const error = problem?.(typed)
  const add = () => {
    if (error) return
    onAdd(typed)
    setTyped('')
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter') return
    event.preventDefault()
    add()
  }
  return (
    <div className="flex flex-col gap-2 sm:flex-row sm:items-start">
      <TextField
        className="min-w-0 flex-1"
        label={label}
        value={typed}
        maxLength={80}
        placeholder={placeholder}
        error={error}
        onChange={(event) => setTyped(event.target.value)}
        onKeyDown={onKeyDown}
      />
      <Button variant="secondary" icon="plus" onClick={add} className="sm:mt-7">
        {button}
      </Button>
    </div>
  )
}
