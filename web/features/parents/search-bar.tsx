import { useState } from 'react'
import { useSearchParams } from 'react-router-dom'
import { parentSorts, searchTooShort, shortestSearch } from '#contracts/parents'
import type { ParentSort } from '#contracts/parents'
import { Button } from '../../ui/button'
import { Select } from '../../ui/select'
import { TextField } from '../../ui/text-field'
import { addressWithSearch, addressWithSort, askedInAddress } from './parents-address'

const sortWords: Record<ParentSort, string> = { name: 'Name', username: 'Username', newest: 'Newest first' }

/** Searches from 3 characters on, and sorts; both stand in the address. */
export const SearchBar = () => {
  const [address, setAddress] = useSearchParams()
  const { search, sort } = askedInAddress(address)
  const [text, setText] = useState(search)
  const [error, setError] = useState<string>()
  const go = (wanted: string) => {
    const short = wanted.length > 0 && wanted.length < shortestSearch
    setError(short ? searchTooShort : undefined)
    if (!short) setAddress(addressWithSearch(address, wanted), { replace: true })
  }
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        go(text.trim())
      }}
      className="flex flex-wrap items-start gap-3"
    >
      <TextField
        label="Search parents"
        type="search"
        className="min-w-0 grow basis-64"
        maxLength={100}
        hint="Username, name, e-mail, phone or a student's name"
        value={text}
        onChange={(event) => setText(event.target.value)}
        error={error}
      />
      <div className="flex gap-2 sm:pt-7">
        <Button type="submit" icon="search">
          Search
        </Button>
        {search ? (
          <Button
            variant="secondary"
            onClick={() => {
              setText('')
              go('')
            }}
          >
            Show All
          </Button>
        ) : null}
      </div>
      <Select
        label="Sort by"
        className="w-44"
        options={parentSorts.map((value) => ({ value, label: sortWords[value] }))}
        value={sort}
        onChange={(event) =>
          setAddress(addressWithSort(address, event.target.value as ParentSort), { replace: true })
        }
      />
    </form>
  )
}
