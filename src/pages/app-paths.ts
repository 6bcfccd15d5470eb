/** The addresses of the app's pages. What each shows is decided in the browser (src/web/router.tsx). */
export const APP_PATHS = [
  '/sign-in',
  '/sign-up',
  '/first-account',
  '/verify-email',
  '/forgot-password',
  '/reset-password',
  '/invitation',
  '/keys',
  '/members',
  '/workspaces',
  '/account',
]
