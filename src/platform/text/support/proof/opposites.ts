/**
 * Words that say the opposite of each other, by language: a line is a pair, its sides between a bar, each with the words
 * and the forms that say the same.
 */
export const OPPOSITES: Readonly<Record<string, string>> = {
  en: `
rise rises rose risen rising increase grow grows grew grown growth climb gain higher up upward raise surge soar expand | fall falls fell fallen falling decrease decline drop dropped shrink shrank shrunk lower lowered reduce reduction sink sank sunk down downward plunge plummet contract
large larger largest big bigger biggest great greater greatest | small smaller smallest
fast faster fastest quick quicker rapid | slow slower slowest
long longer longest length lengthy | short shorter shortest
tall taller tallest high highest height | low lowest shallow
wide wider widest width broad | narrow narrower narrowest
heavy heavier heaviest | light lighter lightest
old older oldest | young younger youngest
hot hotter warm warmer | cold colder cool cooler
strong stronger strongest strength | weak weaker weakest weakness
good better best improve improvement | bad worse worst worsen deteriorate
cheap cheaper cheapest | expensive costly dearer
early earlier earliest | late later latest
open opens opened opening | close closes closed closing closure shut
begin begins began begun beginning start launch | end ends ended ending stop stopped stopping cease finish
win wins won winner winning victory | lose loses lost losing defeat loser loss losses
buy buys bought buying purchase acquire acquisition buyer | sell sells sold selling sale seller vendor
accept approve approval adopt adopted agree agreed ratify | reject refuse refusal decline declined veto disapprove
enable enabled activate | disable disabled deactivate
include includes included including contain | exclude excludes excluded excluding omit
import imports imported importer | export exports exported exporter
support supports supported supporter favour favor | oppose opposes opposed opponent opposition against
add adds added adding insert inserted insertion | remove removes removed removal delete deletes deleted deletion
create created creation build builds built construct erect | destroy destroyed destruction demolish dismantle
enter enters entered | leave leaves left exit depart
confirm confirmed | deny denies denied
success succeed succeeded successful | fail fails failed failure unsuccessful
safe safely safety | dangerous danger unsafe hazardous
legal lawful legally | illegal unlawful illegally
public publicly | private privately
internal | external
north northern northward | south southern southward
east eastern eastward | west western westward
inside within indoors | outside outdoors
above | below beneath
maximum maximal max | minimum minimal min
full fully | empty
send sends sent sender export | receive receives received recipient receiver get
lend lends lent lender | borrow borrows borrowed borrower
encrypt encrypted encryption | decrypt decrypted decryption
upload uploaded | download downloaded
read reads reading reader | write writes wrote written writing writer
lock locked | unlock unlocked
connect connected connection | disconnect disconnected
employer employers | employee employees
landlord landlords lessor | tenant tenants lessee
parent parents | child children
teacher teachers | student students pupil pupils
positive | negative
true correct right | false incorrect wrong
possible | impossible
present | absent
profit profits surplus | deficit deficits
income revenue earnings turnover | expenditure expense expenses costs cost
input inputs | output outputs
love loved | hate hated
hire hired hiring | dismiss dismissed fire fired
attack attacked | defend defended
arrive arrived arrival | departure departed
ascend ascent | descend descent
upper | lower
first | last
same identical equal | different
day daytime | night nighttime
summer | winter
male man men boy | female woman women girl
major majority | minor minority
required mandatory compulsory obligatory | optional voluntary
allow allowed permit permitted | forbid forbidden ban banned prohibit prohibited
more | less fewer
up | down
`,
  de: `
steigen steigt stieg stiegen gestiegen anstieg ansteigen anstieg angestiegen wachsen wächst wuchs wuchsen gewachsen wachstum zunahm zunahmen zunimmt zunehmen zugenommen zunahme erhöhen erhöht erhöhte erhöhung zuwachs höher vergrößern | sinken sinkt sank sanken gesunken fallen fällt fiel fielen gefallen abnahm abnahmen abnimmt abnehmen abgenommen abnahme rückgang zurückging zurückgingen zurückgeht zurückgegangen senken senkt senkte gesenkt senkung verringern verringert verringerte reduzieren reduziert reduzierte schrumpfen schrumpfte geschrumpft niedriger vermindern
groß große großen großer großes größer größere größeren größte größten gross | klein kleine kleinen kleiner kleines kleinere kleineren kleinste kleinsten
schnell schnelle schnellen schneller schnelles schnellste rasch | langsam langsame langsamer langsamste
lang lange langer länger längere länge längste längsten | kurz kurze kurzer kürzer kürzere kürzeste
hoch hohe hohen hoher höhe höchste höchsten | niedrig niedrige niedrigen niedrigste tief tiefer tiefe
breit breite breiter | schmal schmale schmaler
schwer schwere schwerer | leicht leichte leichter
alt alte alten alter altes älter ältere älteste ältesten | neu neue neuen neuer neues jung junge jungen jünger jüngere jüngste
heiß heißer warm warme wärmer | kalt kalte kälter kühl kühler
stark starke starken stärker | schwach schwache schwächer
gut gute besser bessere beste verbessern verbessert verbesserung | schlecht schlechte schlechter verschlechtern verschlechtert
billig billiger günstig günstiger | teuer teure teurer
früh frühe früher frühestens | spät späte später spätestens
öffnen öffnet öffnete geöffnet eröffnen eröffnet eröffnete eröffnung | schließen schließt schloss geschlossen schließung
beginnen beginnt begann begonnen beginn anfangen anfing start starten startet startete gestartet | enden endet endete ende beenden beendet beendete stoppen stoppt gestoppt aufhören
gewinnen gewinnt gewann gewonnen sieg siegen siegt besiegen besiegt besiegte schlug | verlieren verliert verlor verloren niederlage unterliegen unterlag
kaufen kauft kaufte kauften gekauft kauf erwerben erwirbt erwarb erworben erwerb ankauf käufer | verkaufen verkauft verkaufte verkauften verkauf veräußern veräußert veräußerte verkäufer
annehmen annahm angenommen bewilligen bewilligt bewilligte bewilligung genehmigen genehmigt genehmigte genehmigung zustimmen zustimmte zugestimmt stattgab stattgegeben billigen billigte | ablehnen ablehnt ablehnte abgelehnt ablehnung abweisen abweist abwies abgewiesen abweisung zurückweisen zurückwies zurückgewiesen verweigern verweigert verweigerte
aktivieren aktiviert einschalten einschaltet eingeschaltet | deaktivieren deaktiviert ausschalten ausschaltet ausgeschaltet
enthalten enthält enthielt einschließen einschließlich umfassen umfasst | ausschließen ausgeschlossen ausschließlich
importieren importiert importierte import einführen | exportieren exportiert exportierte export ausführen
unterstützen unterstützt unterstützte befürworten befürwortet dafür | bekämpfen bekämpft bekämpfte kritisieren dagegen
hinzufügen hinzugefügt einfügen eingefügt | entfernen entfernt entfernte löschen löscht löschte gelöscht
bauen baut baute gebaut errichten errichtet errichtete erbaut | zerstören zerstört zerstörte abreißen abgerissen sprengen sprengt sprengte gesprengt
bestätigen bestätigt bestätigte | bestreiten bestreitet bestritt dementieren dementiert
erfolg erfolgreich gelingen gelang | misserfolg scheitern scheitert scheiterte erfolglos
sicher sichere | unsicher gefährlich
öffentlich öffentliche | privat private nichtöffentlich
nord norden nördlich nördliche nördlichen | süd süden südlich südliche südlichen
ost osten östlich östliche östlichen | west westen westlich westliche westlichen
innerhalb innen | außerhalb außen
oberhalb | unterhalb
maximal maximum maximale | minimal minimum minimale
voll volle vollständig | leer leere teilweise anteilig
senden sendet sendete schicken schickt schickte übergeben übergibt übergab übermitteln | erhalten erhält erhielt erhielten bekommen bekommt bekam bekamen empfangen empfängt empfing
verleihen leihen verliehen | ausleihen entleihen entliehen
hochladen hochgeladen | herunterladen heruntergeladen
lesen liest las gelesen | schreiben schreibt schrieb geschrieben
arbeitgeber arbeitgebers arbeitgebern | arbeitnehmer arbeitnehmers arbeitnehmern
vermieter vermieters vermietern vermieterin | mieter mieters mietern mieterin
auftraggeber auftraggebers | auftragnehmer auftragnehmers
käufer käufers | verkäufer verkäufers
gläubiger gläubigers | schuldner schuldners
kläger klägerin klägers | beklagte beklagten beklagter
eltern | kind kinder kindern
lehrer lehrern lehrerin | schüler schülern schülerin
positiv positive | negativ negative
wahr richtig korrekt | falsch unwahr unrichtig
möglich | unmöglich
anwesend | abwesend
gewinn gewinne überschuss | verlust verluste defizit
einnahmen erlöse ertrag erträge umsatz | ausgaben kosten aufwand aufwendungen
einstellen einstellte eingestellt | entlassen entließ entlässt kündigte
angreifen angriff angegriffen | verteidigen verteidigt
ankommen ankam ankunft | abfahren abfuhr abfahrt abreise
gültig gültige | ungültig ungültige
legal rechtmäßig | illegal rechtswidrig
gleich gleiche gleichen | verschieden unterschiedlich anders
sommer | winter
tagsüber | nachts nacht
männlich männer mann männern | weiblich frauen frau
verpflichtend obligatorisch | freiwillig optional
nachfolger nachfolgerin | vorgänger vorgängerin
einfahrt eingang | ausfahrt ausgang
mehrheit | minderheit
mehr | weniger
frühestens | spätestens
`,
};
