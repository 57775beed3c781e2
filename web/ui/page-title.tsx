/** The title of the browser's tab while this is drawn: "Menu Calendar · Parent & Teacher Portal". */
export const PageTitle = ({
  children,
  of = 'Parent & Teacher Portal',
}: {
  children?: string
  of?: string
}) => <title>{children ? `${children} · ${of}` : of}</title>
