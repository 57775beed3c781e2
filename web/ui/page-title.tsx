import { useEffect } from 'react'

type PageTitleProps = { children?: string; of?: string }

/**
 * The title of the browser's tab: "Menu Calendar · Parent & Teacher Portal". Set in the page's own `<title>`; React's
 * would be a second one.
 */
export const PageTitle = ({ children, of = 'Parent & Teacher Portal' }: PageTitleProps) => {
  const title = children ? `${children} · ${of}` : of
  useEffect(() => {
    document.title = title
  }, [title])
  return null
}
