/**
 * What is on a page around a legal text and is not part of it: labels of buttons, menus, language choosers and
 * accessibility hints. Compared in lower case with single spaces. Only whole lines; a sentence is never boilerplate.
 */
const LABELS = new Set(
  `select language|choose language|change language|language|languages|table of contents|contents|on this page|in this article
in this document|jump to|jump to section|skip to main content|skip to content|back to top|go to top|top|menu|close|open menu|search
toggle the table of contents|add languages|move to sidebar hide|print/export|get shortened url|create a book|in other projects|view history
what links here|related changes|upload file|special pages|permanent link|page information|cite this page|printable version|other languages
translate this page|translate this page; this page contains changes which are not marked for translation
download|download pdf|download as pdf|download a copy|view pdf|print|print this page|print page|save as pdf|share|share this|copy link
copy|copied|sign in|sign up|log in|login|register|get started|try it free|try claude|contact sales|contact us|contact support|learn more|read more|find out more
see more|show more|show less|expand all|collapse all|expand|collapse|home|legal|cookie settings|cookie preferences|manage cookies
manage preferences|accept all|reject all|accept|decline|was this page helpful|was this article helpful|was this helpful|yes|no|feedback
previous|next|previous version|previous versions|view previous version|view previous versions|see previous version|see previous versions
prior versions|archived versions|version history|all versions|subscribe|subscribe to updates|listen to article|english|english us|français|deutsch|español|italiano
português|nederlands|polski|日本語|한국어|中文|简体中文|繁體中文|french version|english version|german version|spanish version|italian version
version française|versión en español|deutsche version|version|loading|play video|return to top|powered by|copy page|ask ai|assistant|opens in a new window|opens in a new tab|external link|share to|search help|search this site|log in or sign up|all topics|no thanks|no, thanks|no thank you|top of page
nein danke|nein, danke|seitenanfang|non merci|non, merci|no gracias|no, gracias|no grazie|no, grazie|não obrigado|não, obrigado|nee bedankt|nee, bedankt
inhalt|inhaltsverzeichnis|inhaltsübersicht|auf dieser seite|drucken|seite drucken|als pdf herunterladen|pdf herunterladen|herunterladen|teilen|kopieren
link kopieren|zurück|weiter|nach oben|zurück nach oben|zum seitenanfang|zum inhalt springen|menü|suche|suchen|hilfe durchsuchen|startseite|anmelden
einloggen|registrieren|mehr erfahren|weiterlesen|mehr anzeigen|weniger anzeigen|alle anzeigen|schließen|cookie-einstellungen|sprache|sprache wählen|ja|nein
war dieser artikel hilfreich|war diese seite hilfreich|frühere versionen|vorherige version|stichwort|themen
sommaire|table des matières|sur cette page|imprimer|imprimer cette page|télécharger|télécharger le pdf|télécharger au format pdf|partager|copier
copier le lien|retour|retour en haut|haut de page|aller au contenu|rechercher|recherche|accueil|se connecter|connexion|s'inscrire|en savoir plus
lire la suite|voir plus|voir moins|afficher plus|tout afficher|fermer|gérer les cookies|paramètres des cookies|langue|oui|non|cet article vous a-t-il été utile
cette page vous a-t-elle été utile|versions précédentes|version précédente|versions archivées|suivant|précédent
índice|índice de contenidos|tabla de contenidos|contenido|en esta página|imprimir|descargar|descargar pdf|descargar en pdf|compartir|copiar|copiar enlace
volver|volver arriba|ir al contenido|buscar|búsqueda|inicio|iniciar sesión|registrarse|regístrate|más información|leer más|saber más|ver más|ver menos
cerrar|configuración de cookies|configurar cookies|idioma|sí|no|te ha resultado útil|versiones anteriores|versión anterior|siguiente|anterior
indice|sommario|in questa pagina|stampa|scarica|scarica il pdf|condividi|copia|torna su|torna indietro|vai al contenuto|cerca|accedi|registrati
scopri di più|per saperne di più|leggi di più|mostra di più|chiudi|lingua|versioni precedenti|versione precedente|avanti|indietro
sumário|nesta página|partilhar|compartilhar|transferir|baixar|descarregar|voltar|voltar ao topo|ir para o conteúdo|pesquisar|entrar|iniciar sessão
registar|cadastre-se|saiba mais|ler mais|ver mais|fechar|versões anteriores|versão anterior|seguinte|próximo|sim|não
inhoud|inhoudsopgave|op deze pagina|afdrukken|downloaden|download als pdf|delen|kopiëren|terug|terug naar boven|naar boven|zoeken|inloggen|aanmelden
meer informatie|lees meer|meer lezen|toon meer|sluiten|taal|vorige versies|vorige versie|volgende|vorige|ja|nee
spis treści|drukuj|pobierz|udostępnij|wstecz|szukaj|zaloguj się|więcej|zamknij|innehåll|skriv ut|dela|tillbaka|sök|logga in|läs mer|stäng`.split(
    /[|\n]/,
  ),
)

/** Ratings, forms and buttons that a site puts on its pages, in several languages. */
const WIDGETS = [
  /^\d{1,7} (?:notes?|avis|votes?|ratings?|reviews?|likes?|views?|comments?|shares?|partages?|commentaires?|bewertung(?:en)?|stimmen|kommentare?|votos?|opiniones|comentarios|valutazioni|voti|commenti|avaliações|comentários|beoordelingen|reacties)$/u,
  /^(?:rated|noté|bewertet|valorado|valutato|avaliado|beoordeeld)(?: mit| con| com| met)? \d(?:[.,]\d)? (?:out of|sur|von|de|su|van) \d{1,2}(?: stars?)?$/u,
  /^(?:évaluation de l'? ?article|rating of (?:the|this) article|bewertung des artikels).{0,10}$/u,
  /^(?:leave this field (?:blank|empty)|(?:veuillez )?laisser ce champ vide|(?:dieses|das) feld (?:bitte )?(?:leer lassen|nicht ausfüllen)|dej[ae] este campo en blanco|lascia(?:re)? vuoto questo campo|deixe este campo em branco|laat dit veld leeg).{0,30}$/u,
  /^(?:share|partager|teilen|compartir|condividi|partilhar|compartilhar|delen)(?: this| la| cette| diese| esta| questa| deze| a)? (?:page|seite|página|pagina|artikel|article)$/u,
  /^(?:share|partager|compartir|condividi|partilhar|compartilhar|delen) (?:on|via|sur|par|en|por|su|tramite|no|op) [\p{L}\p{N} ()-]{1,40}$/u,
  /^share (?:by|with) (?:e-?mail|mail|facebook|twitter|x|linkedin|whatsapp|reddit|messenger|friends)$/u,
  /^(?:auf|über|per|via) [\p{L}\p{N}-]{1,20} teilen$/u,
  /^veuillez autoriser le dépôt de cookies pour partager .{0,90}$/u,
  /^copi(?:er|ar) (?:dans le presse-papiers?|al portapapeles)$/u,
  /^(?:gérer|modifier|paramétrer|manage|change|review|gestionar|modificar|gestisci|gerir|beheer)\b(?: \S+){0,5} (?:cookies?|consent|consentement|traceurs|cookie preferences)(?: preferences| settings)?$/u,
  /^(?:cookies?(?:-| )einstellungen|datenschutz(?:-| )?einstellungen) (?:ändern|verwalten|anpassen|öffnen)$/u,
]

/** Lines such as `View previous business terms`, `French version`, `5 min read`, `© 2025 Example, Inc.`. */
const PATTERNS = [
  /^(?:\()?(?:view|see|read|show) (?:the |our )?(?:previous|upcoming|prior|older|archived|earlier) [\p{L} ]{3,60}$/u,
  /^\d{1,3} min(?:ute)?s? read$/u,
  /^\d{4}-\d{2}-\d{2} \d{1,2}:\d{2}(?::\d{2})?$/u,
  /^(?:tab|slide|page|step|item|seite|folie|schritt|diapositive|étape|página|paso|diapositiva|pagina|passo|stap|dia) (?:\d{1,3}|nan) (?:of|von|sur|de|di|van) (?:\d{1,3}|nan)$/u,
  /^(?:(?:view|available|read|also available) in )?(?:english|french|german|spanish|italian|portuguese|japanese|korean|chinese)(?: version)?$/u,
  /^(?:(?:french|english|german|spanish|italian) version ?)+(?:version française|versión en español|deutsche version)?$/u,
  /^(?:copyright )?(?:©|\(c\)) ?(?:copyright )?\d{4}.{0,80}$/u,
  /^copyright (?:©|\(c\))? ?\d{4}.{0,80}$/u,
  /^©.{0,119}$/u,
  /^.{0,80}\ball rights reserved(?! (?:by|to|for|under|in|except|unless|and|hereunder)\b).{0,60}$/u,
  /^all collections.{0,160}$/u,
  /^retrieved from .{0,200}oldid=?.{0,60}$/u,
  /(?:\.{6}|(?: \.){6})[. ]*\d{0,4}$/u,
  /^(?:read next|other ways to get help|outlined ?flag|[-\s]*enter (?:a )?summary[-\s]*)$/u,
  /^\d{1,2}:\d{2} ?\/ ?\d{1,2}:\d{2}$/u,
  /^stay organized with collections(?: save and categorize content based on your preferences)?$/u,
  /^save and categorize content based on your preferences$/u,
  /^(?:key takeaways|send feedback|rate this page|was this helpful send feedback|except as otherwise noted, the content of this page is licensed under .{0,160})$/u,
  /^(?:on this page|in this article|key takeaways)(?: .{0,60})? (?:spark|expand_more|chevron_\p{L}+)$/u,
  /^version:? ?.{3,40}\((?:latest|current)\)$/u,
  /^\d{1,3}$/u,
  /^(?:⌘|ctrl|cmd|alt) ?\+? ?\p{L}$/u,
  /^(?:powered|built) (?:by|with|on) ?[\p{L}\p{N}. ]{2,30}$/u,
  /^powered ?by ?this documentation is built/u,
  /^(?:view|copy|open|ask about)(?: this)?(?: page)? (?:as|in) (?:markdown|chatgpt|claude)$/u,
  /^(?:responses are generated (?:using|by) ai\b|documentation index$|fetch the complete documentation index|use this file to discover all available pages)/u,
  /^(?:updated|edited|reviewed) (?:about |over )?(?:\d{1,3}|an?|one) (?:minute|hour|day|week|month|year)s? ago$/u,
  /^(?:written|posted|edited) by [\p{L}' -]{2,60}?(?: (?:last )?(?:updated|edited|reviewed) .{3,30})?$/u,
  /^\p{L}$/u,
  ...WIDGETS,
  /^(?:print|download|save|imprimer|télécharger|enregistrer|drucken|herunterladen|speichern|imprimir|descargar|guardar|stampa|scarica|salva|baixar|afdrukken|downloaden)\b(?: \S+){0,7} (?:pdf|format|version|seite|page|página|pagina)$/u,
  /^(?:get|view|open|export|read|see|obtenir|ouvrir|afficher|öffnen|abrir|ver|apri|openen)\b(?: \S+){0,5} (?:as|in|to|en|au format|als|como) (?:a |un )?pdf$/u,
  /^(?:(?:learn|read|find out|discover|see) more|en (?:savoir|apprendre) plus|mehr (?:erfahren|lesen)|más información|sab(?:er|e) más|scopri di più|maggiori informazioni|saiba mais|meer (?:informatie|lezen)) (?:about|on|sur|über|zu|sobre|su|sulle?|over) .{2,90}$/u,
  /^(?:notifications )?(?:save|bookmark) this page(?: (?:to|for) .{0,100})?$/u,
  /^\d{1,6} (?:out of|of) \d{1,6} (?:people )?found this (?:article |page )?helpful$/u,
  /^(?:we(?:'ve| have)? )?(?:recently |just )updated (?:these|this|our) (?:[\p{L}]+ ){0,4}(?:policies|policy|terms|notice|agreement)(?: learn more(?: here)?)?(?: see (?:the )?previous version(?: here)?)?$/u,
]

/** What pages measure fonts with. */
const MEASURE = /^(?:(\p{L}{2,20})(?: \1){5,}|mmmwwlli)/u

/** Two to four labels with nothing between them but spaces: `Expand all Collapse all`, `YesNo`. */
const SEVERAL = new RegExp(
  `^(?:(?:${[...LABELS, 'accept all cookies', 'reject all cookies', 'customise', 'customize', 'save my preferences']
    .sort((a, b) => b.length - a.length)
    .join('|')})\\s*){2,4}$`,
  'u',
)

/** Hints inside a line: where a link opens, and what a version chooser says after a date. */
const HINTS =
  / ?\(?(?:(?:link )?opens (?:(?:the )?page )?(?:in )?(?:a |an )?(?:new|external) (?:window|tab|site)(?: or (?:new )?(?:window|tab))?|(?:le lien )?(?:s')?ouv(?:r(?:e|ira)|erture) (?:dans )?une? (?:nouvel(?:le)? |autre )(?:onglet|fen[êe]tre)|(?:link )?öffnet (?:sich )?(?:in )?(?:einem |ein )?neue[nmrs]? (?:fenster|tab)|(?:se )?abre(?: en| em)? (?:una |uma )?(?:nueva |nova )?(?:ventana|pestaña|janela|aba|guia)(?: nueva| nova)?|si apre in una nuova (?:finestra|scheda)|(?:wordt geopend|opent) in een nieuw (?:venster|tabblad))(?![\p{L}\p{N}])\)?|\( ?(?:external link|new (?:window|tab)|lien externe|nouvelle fen[êe]tre|nouvel onglet|neues fenster|nueva ventana|nuova finestra|nova janela|nieuw venster) ?\)|(?:temps de )?lecture ?:? ?(?:environ )?\d{1,3} min(?:utes?)?(?!\p{L})|(?:reading time|lesezeit|tiempo de lectura|tempo di lettura|tempo de leitura|leestijd) ?:? ?(?:ca\.? )?\d{1,3} min(?:ut\p{L}{1,2})?(?!\p{L})|\((?:view |see )?(?:the )?previous versions?\)|\bsee prior versions? of(?: [\p{L}]+){0,5}$| stay organized with collections(?: save and categorize content based on your preferences)?\.?$/giu

/** A word that every hint has: most lines have none of them. */
const HINT_WORD =
  /\b(?:lecture|reading|lesezeit|lectura|lettura|leitura|leestijd|externe|neues|new|external|neue\p{L}?|nouvel|autre|nouvelle|nueva|nova|nuova|nieuw|previous|prior|organized)(?!\p{L})/iu

export const withoutHints = (line: string): string => (HINT_WORD.test(line) ? line.replace(HINTS, '') : line).trim()

/** No label is longer; a line of which so much was read is none. */
const LABEL_CHARACTERS = 120
const READ_CHARACTERS = 400

/** Answers: labels of buttons too, unless a question of the document stands before them. */
const ANSWERS = /^(?:yes|no|oui|non|ja|nein|sí|si|sim|não|nee|是|否|はい|いいえ)[.!。]?$/iu
const NUMBER = /^\d{1,3}$/

/** Whether a line answers the one before it: `No.` below a question, or `30` below `Days of notice:`. */
export const isAnswer = (line: string, before = ''): boolean =>
  (ANSWERS.test(line) && /[?？]["”')\]]*$/u.test(before) && !isBoilerplate(before)) ||
  (NUMBER.test(line) && /[:：]$/u.test(before))

/** Whether a whole line is boilerplate. `line` is plain text without markup. */
export function isBoilerplate(line: string): boolean {
  const label = line
    .slice(0, READ_CHARACTERS)
    .toLowerCase()
    .replace(/[()[\]:?!.·•|›»→↗↑]| [#¶]$/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
  if (MEASURE.test(label)) return true
  if (label.length > LABEL_CHARACTERS) return false
  return (
    LABELS.has(label) ||
    (label.length <= 60 && SEVERAL.test(label)) ||
    PATTERNS.some((pattern) => pattern.test(label) || pattern.test(line.slice(0, READ_CHARACTERS).toLowerCase().trim()))
  )
}
