import { useState } from 'react'
import { useSearchParams } from 'react-router-dom'
import { addressWith } from '../../../lib/list-address'
import type { Uploaded } from './api'
import { StatementList } from './statement-list'
import { StatementScreen } from './statement-screen'
import { UploadOutcome } from './upload-outcome'

/** The statements of mobile money and banks: all of them, or the rows of the one that the address names. */
export const Statements = () => {
  const [address, setAddress] = useSearchParams()
  const [uploaded, setUploaded] = useState<Uploaded | null>(null)
  const id = Number(address.get('statement'))
  const open = (statement: number | null) =>
    setAddress(addressWith(address, { statement: statement === null ? null : String(statement), show: null }))
  if (!Number.isInteger(id) || id < 1)
    return (
      <StatementList
        onOpen={open}
        onUploaded={(result) => {
          setUploaded(result)
          open(result.id)
        }}
      />
    )
  return (
    <StatementScreen key={id} id={id} onBack={() => open(null)}>
      {uploaded?.id === id ? <UploadOutcome result={uploaded} /> : null}
    </StatementScreen>
  )
}
