import { useEffect, useState } from 'react'
import { TextField } from './text-field'

type SearchFieldProps = {
  label: string
  hint?: string
  className?: string
  /** What is searched for now, as the address says. */
  value: string
  /** Called with the trimmed text once nothing was typed for a moment. */
  onSearch: (text: string) => void
}

const debounceMs = 300

/** A search that begins by itself, and that shows what the address says when that is changed elsewhere. */
export const SearchField = ({ value, onSearch, ...words }: SearchFieldProps) => {
  const [text, setText] = useState(value)
  const [known, setKnown] = useState({ value, said: value })
  if (known.value !== value) {
    setKnown({ value, said: value })
    if (value !== known.said) setText(value)
  }
  useEffect(() => {
    const wanted = text.trim()
    if (wanted === value) return
    const timer = setTimeout(() => {
      setKnown((before) => ({ ...before, said: wanted }))
      onSearch(wanted)
    }, debounceMs)
    return () => clearTimeout(timer)
  }, [text, value, onSearch])
  return (
    <TextField
      {...words}
      type="search"
      maxLength={100}
      value={text}
      onChange={(event) => setText(event.target.value)}
    />
  )
}
