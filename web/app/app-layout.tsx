import { useQuery } from '@tanstack/react-query'
import { Suspense, useEffect } from 'react'
import { Outlet } from 'react-router-dom'
import { userQuery } from '../features/session/current-user'
import { PageSpinner } from '../ui/spinner'
import { useEmailVerification } from './use-email-verification'

/** Around every page: a spinner until it is known who is signed in, and until the page's code is loaded. */
export const AppLayout = () => {
  const user = useQuery(userQuery).data
  useEmailVerification()
  if (user === undefined) return <PageSpinner />
  return (
    <Suspense fallback={<PageSpinner />}>
      <Outlet />
      <InstallAfterFirstPage />
    </Suspense>
  )
}

/** Rendered together with the first page, so that what it fetches never delays that. */
const InstallAfterFirstPage = () => {
  useEffect(() => void import('./install').then((m) => m.install()), [])
  return null
}
